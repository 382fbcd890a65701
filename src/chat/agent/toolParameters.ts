import type { Tool, ToolArguments } from "../../protocol/conversation/conversation.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import { describeInvalidArguments } from "../../protocol/conversation/toolCalls.ts";

interface Parameter {
  readonly type: "string" | "integer" | "boolean" | "strings";
  readonly description: string;
  readonly isOptional?: true;
  /** Other names that models use. */
  readonly aliases?: readonly string[];
}

export type Parameters = Readonly<Record<string, Parameter>>;

interface ParameterValues {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly strings: readonly string[];
}

type RequiredName<Given extends Parameters> = {
  [Name in keyof Given]: Given[Name] extends { readonly isOptional: true } ? never : Name;
}[keyof Given];

/** The arguments that a tool with these parameters gets. */
export type ArgumentsOf<Given extends Parameters> = {
  readonly [Name in RequiredName<Given>]: ParameterValues[Given[Name]["type"]];
} & {
  readonly [Name in Exclude<keyof Given, RequiredName<Given>>]?: ParameterValues[Given[Name]["type"]];
};

/** The tool as it is offered to the model. */
export function describeTool(name: string, description: string, parameters: Parameters): Tool {
  return {
    name,
    description,
    schema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(parameters).map(([key, each]) => [key, schemaOf(each)])),
      required: Object.keys(parameters).filter((key) => parameters[key]?.isOptional !== true),
      additionalProperties: false,
    },
  };
}

function schemaOf({ type, description }: Parameter): Fields {
  return type === "strings"
    ? { type: "array", items: { type: "string" }, description }
    : { type, description };
}

/** Thrown for arguments that a tool cannot take; the message is for the model. */
export class ToolArgumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ToolArgumentError";
  }
}

/**
 * Reads the arguments of a call tolerantly: aliases, numbers as text, one text for a list. Names that no parameter has
 * are ignored. Texts are taken as they are.
 * @throws ToolArgumentError
 */
export function readArguments<Given extends Parameters>(
  parameters: Given,
  given: ToolArguments,
): ArgumentsOf<Given>;
export function readArguments(parameters: Parameters, given: ToolArguments): Fields {
  if (given.kind === "invalid") throw new ToolArgumentError(describeInvalidArguments(given.text));
  const { value } = given;
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const found = [name, ...(parameter.aliases ?? [])].find(
        (each) => (value[each] ?? undefined) !== undefined,
      );
      if (found === undefined) {
        if (parameter.isOptional === true) return [];
        throw new ToolArgumentError(`The argument "${name}" is missing.`);
      }
      return [[name, readValue(name, parameter, value[found])]];
    }),
  );
}

function readValue(name: string, { type }: Parameter, value: unknown): unknown {
  switch (type) {
    case "string":
      if (typeof value === "string") return value;
      break;
    case "integer": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number === "number" && Number.isSafeInteger(number)) return number;
      break;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      break;
    case "strings":
      if (typeof value === "string") return [value];
      if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
      break;
  }
  throw new ToolArgumentError(`The argument "${name}" must be ${expected[type]}.`);
}

const expected: Readonly<Record<Parameter["type"], string>> = {
  string: "a string",
  integer: "an integer",
  boolean: "true or false",
  strings: "a list of strings",
};
