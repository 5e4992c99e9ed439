/** One part of the report: measured on the built product, in one run with what it is compared to. */
export interface Bench {
  title: string;
  run(args: string[]): Promise<Measured>;
}

export interface Measured {
  /** Markdown: tables and what a reader must know to read them. */
  text: string;
  /** What is kept, and must not get worse. Only ratios within one run say anything on another machine. */
  ratios: Record<string, Ratio>;
}

export interface Ratio {
  value: number;
  better: 'lower' | 'higher';
}
