/** What V8 writes of a process that runs under `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: ReadonlyArray<ProfileNode>
  /** Microseconds of the steady clock that all processes of the machine share. */
  readonly startTime: number
  /** The node that ran at each sample, by its id. */
  readonly samples: ReadonlyArray<number>
  /** Microseconds from the sample before to each sample. */
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function, called by the functions above it: the same function has a node for each way to it. */
export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: ReadonlyArray<number>
}

/** A piece of time, in microseconds of the same clock. */
export interface Period {
  readonly from: number
  readonly until: number
}
