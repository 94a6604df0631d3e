import { InvalidArgumentError, Option } from "commander";

/** Reads a whole number between two bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Collects the values of an option that may be given several times. */
export function oneMore(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}

/** An option with a few possible values that may be given several times. */
export function choices<T extends string>(flags: string, about: string, values: readonly T[]): Option {
  const isOne = (text: string): boolean => values.some((value) => value === text);
  return new Option(flags, `${about}: ${values.join(", ")}; may be repeated`).argParser(
    (text: string, former: readonly string[] | undefined) => {
      if (!isOne(text)) throw new InvalidArgumentError(`Allowed are ${values.join(", ")}.`);
      return oneMore(text, former);
    },
  );
}
