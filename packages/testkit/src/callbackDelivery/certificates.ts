/** A key and its self-signed certificate, made for these tests alone and trusted by nobody else. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** For 127.0.0.1, localhost and receiver.example; the delivery under test is told to trust it. */
export const trustedCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFGe/2t7T7hj7bHwV
RhxkzqNJZ5RXd2X5HJNYKQgtxf2hRANCAATwR5GB/8XVZizxUGKiZqeHlwUWZWQ5
blakIIwIpBTmr/yyRXbmHhvjtFx2880P0iRcZ4jgogQCH+Agp1VC0Hqx
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIBATAKBggqhkjOPQQDAjAiMSAwHgYDVQQDDBdwaXhjaGFy
Z2UgdGVzdCByZWNlaXZlcjAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
MFowIjEgMB4GA1UEAwwXcGl4Y2hhcmdlIHRlc3QgcmVjZWl2ZXIwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAATwR5GB/8XVZizxUGKiZqeHlwUWZWQ5blakIIwIpBTm
r/yyRXbmHhvjtFx2880P0iRcZ4jgogQCH+Agp1VC0Hqxo2AwXjAsBgNVHREEJTAj
hwR/AAABgglsb2NhbGhvc3SCEHJlY2VpdmVyLmV4YW1wbGUwDwYDVR0TAQH/BAUw
AwEB/zAdBgNVHQ4EFgQUhxdIq7ULrSFjGD2MvFiboZVqXakwCgYIKoZIzj0EAwID
SQAwRgIhAL6elnMBXa9vARzZSb/8OnLcfNpgviBibpD/9aYQRqjRAiEA3HeBHnyz
s8X8YneocgJZHrIAyUulWegngsifxngLASA=
-----END CERTIFICATE-----
`,
}

/** For 127.0.0.1 and localhost, too, yet nobody is told to trust it. */
export const untrustedCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUv4o8a+uoBd3SIkn
ky+BsdB1fHGaxqng0peEhAmxD5WhRANCAAQrPdYaThr0i1TRlonOfMFt1ndOopBb
AtinAcNlL3CPGGK+iERWKg06vyLw9fAXCyNyPvEHSkX8ieLOPDVq181x
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIBAjAKBggqhkjOPQQDAjAiMSAwHgYDVQQDDBdwaXhjaGFy
Z2UgdGVzdCBzdHJhbmdlcjAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
MFowIjEgMB4GA1UEAwwXcGl4Y2hhcmdlIHRlc3Qgc3RyYW5nZXIwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAAQrPdYaThr0i1TRlonOfMFt1ndOopBbAtinAcNlL3CP
GGK+iERWKg06vyLw9fAXCyNyPvEHSkX8ieLOPDVq181xo04wTDAaBgNVHREEEzAR
hwR/AAABgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUj26w
LJmepTDpELFHGaOpxhWgPu4wCgYIKoZIzj0EAwIDSQAwRgIhAPE5JTHF06VZF/ZR
vv6kgZxegy/cDTkcqnmlhtFBeZPcAiEA2OtErKRCJPGsCYu/UUruyfo8206PwiA4
vze3VtxA0bk=
-----END CERTIFICATE-----
`,
}

/** To be trusted like the first, but made for another host. */
export const misnamedCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLh6Alo5Zco26lZZ4
mKIC2KZeIs061p/LVbQl1YQRPSShRANCAAT+1bbpLwDnkEdAg8YH1cVyRa01f02k
1+R7UHIYBmrWb3ev+nr/1fAEkqygmRJJuC1AsRc0Rr890EuX+qRwcv0A
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIBAzAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRwaXhjaGFy
Z2UgdGVzdCBvdGhlcjAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFow
HzEdMBsGA1UEAwwUcGl4Y2hhcmdlIHRlc3Qgb3RoZXIwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAAT+1bbpLwDnkEdAg8YH1cVyRa01f02k1+R7UHIYBmrWb3ev+nr/
1fAEkqygmRJJuC1AsRc0Rr890EuX+qRwcv0Ao0wwSjAYBgNVHREEETAPgg1vdGhl
ci5leGFtcGxlMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFCe1Tsb5pJJkmwHr
XOB5EtEbioTxMAoGCCqGSM49BAMCA0gAMEUCICK9+1iN/rArBwSXDuKdUOtkaado
EkIumaTE5b1GvVsnAiEAwP2NFHF3oj7SQfC6mfidOQeB3eYRIic9SFyPNDS5XLs=
-----END CERTIFICATE-----
`,
}

/** To be trusted like the first, but until the end of 2020 only. */
export const expiredCertificate: Certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbFyK8f61laqyXWTc
xeWO1sgNT/Hmo9dU3gERirXGzTOhRANCAARiexMy2KNgzWDuXUZxH8CqlZvs0D9q
srNREwT7NuGLm4AyHpapDOgj2PakMbZO2Hx/Q9moIdAxJkomFUNEobGs
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgjCCASmgAwIBAgIBBDAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhwaXhjaGFy
Z2UgdGVzdCB5ZXN0ZXJkYXkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAw
WjAjMSEwHwYDVQQDDBhwaXhjaGFyZ2UgdGVzdCB5ZXN0ZXJkYXkwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAARiexMy2KNgzWDuXUZxH8CqlZvs0D9qsrNREwT7NuGL
m4AyHpapDOgj2PakMbZO2Hx/Q9moIdAxJkomFUNEobGso04wTDAaBgNVHREEEzAR
hwR/AAABgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUH+TL
BATgJUxph70xX/9AqWWwOgwwCgYIKoZIzj0EAwIDRwAwRAIgCcyq1aEb2i/B0x1o
M+CzBxPV67ZP9lh1gUDeTQe9IrwCIB/eaARYFqpHWkv3ki9zO5dqIJ3vtfOShabl
wJKvXbJ5
-----END CERTIFICATE-----
`,
}
