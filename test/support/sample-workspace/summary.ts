import { readFile } from "node:fs/promises";

export interface Reading {
  readonly station: string;
  readonly celsius: number;
}

export function parseReadings(text: string): Reading[] {
  return text
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => {
      const [station = "", celsius = ""] = line.split(",");
      return { station, celsius: Number(celsius) };
    });
}

export function average(readings: readonly Reading[]): number {
  return readings.reduce((sum, reading) => sum + reading.celsius, 0) / readings.length;
}

const readings = parseReadings(await readFile("readings.csv", "utf8"));
process.stdout.write(`${readings.length} readings, average ${average(readings).toFixed(1)} °C\n`);
