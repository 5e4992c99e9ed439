interface Options {
  intervalMs: number;
  /** Ends early, after its current step, once `stopping` returns true. */
  work: (stopping: () => boolean) => Promise<void>;
  onError: (error: unknown) => void;
}

export type PeriodicJob = ReturnType<typeof createPeriodicJob>;

/** Work that a process repeats: at an interval, and when it is asked to. It never runs twice at once in one process. */
export function createPeriodicJob({ intervalMs, work, onError }: Options) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let requested = false;
  let stopped = false;

  async function runRequested() {
    try {
      while (requested && !stopped) {
        requested = false;
        await work(() => stopped);
      }
    } catch (error) {
      onError(error);
    }
    running = undefined;
  }

  /** Runs the work; if it is running, once more after that, because it may have passed what there is to do now. */
  function run(): Promise<void> {
    requested = true;
    running ??= runRequested();
    return running;
  }

  return {
    run,
    start: () => {
      timer = setInterval(() => void run(), intervalMs);
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
