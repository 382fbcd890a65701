import { fakeKey } from "../unit/service/fixture.ts";
import type { ReferenceServiceOptions } from "../service/serve.ts";
import type { Editor, EditorOptions } from "./endToEnd.ts";
import { withEditor } from "./withEditor.ts";
import { type TestService, withService } from "./withService.ts";

export interface ConnectedEditorOptions extends EditorOptions {
  /** Name of the connection, Acme by default. */
  readonly name?: string;
  /** The connection's only key; must be visibly fake. */
  readonly key?: string;
  /** More properties of the connection in the settings. */
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly service?: ReferenceServiceOptions;
}

/** An editor whose only connection leads to the service. */
export interface ConnectedEditor {
  readonly editor: Editor;
  readonly service: TestService;
}

/** Environment variable of the editor with the connection's key. */
export const keyVariable = "INFERENCE_TEST_KEY";

/** Adds hooks to the current `describe`: service and editor run during all of its tests. */
export function withConnectedEditor({
  name = "Acme",
  key = fakeKey("connected"),
  entry = {},
  service: serviceOptions = {},
  settings = {},
  ...options
}: ConnectedEditorOptions = {}): ConnectedEditor {
  const service = withService({ ...serviceOptions, keys: [key] });
  const editor = withEditor(() => ({
    ...options,
    settings: {
      "inference.connections": [{ name, baseUrl: service.origin, keyVariable, ...entry }],
      ...settings,
    },
    environment: { [keyVariable]: key },
  }));
  return { editor, service };
}
