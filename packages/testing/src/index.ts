export type { ChargePlay, Lateness, OutsideReturn } from "./ChargePlay.ts"
export type { Cleanup, RegisterHook } from "./Cleanup.ts"
export { testPix, type TestPix, type TestPixOptions } from "./testPix.ts"
export { testReceiver, type TestReceiver } from "./testReceiver.ts"
