/** A certificate and its key in PEM. */
export interface Identity {
    readonly cert: string;
    readonly key: string;
}
/** An authority that signs certificates for this test run. */
export interface Authority {
    readonly ca: string;
    /** A client's certificate, for an hour if nothing else is said; its common name is the client's id. */
    readonly forClient: (name: string, endsAt?: number) => Promise<Identity>;
    /** A server's certificate for 127.0.0.1. */
    readonly forServer: () => Promise<Identity>;
}
/** Makes an authority of its own, which nobody else trusts. */
export declare const makeAuthority: () => Promise<Authority>;
//# sourceMappingURL=certificates.d.ts.map