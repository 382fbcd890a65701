import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { KeyUser } from "../../connection/exposedKeys/incidentRecord.ts";
import { workspacePlace } from "../../connection/exposedKeys/incidentRecord.ts";
import type { KnownWorkspace } from "../workspace/connectionWorkspaces.ts";
import { thisWorkspace } from "../workspace/thisWorkspace.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** Who uses a connection's key beside it: workspaces bound to it, connections with the same key or service. */
export function keyUsers(
  connections: WorkspaceConnections,
  keys: readonly SearchedKey[],
  connection: Connection,
): readonly KeyUser[] {
  const here = thisWorkspace();
  const bound = connections.workspacesOf(connection.name);
  const isUsedHere = connections.current?.name === connection.name;
  const others = bound.filter(({ uri }) => uri !== here?.uri);
  return [
    ...(isUsedHere && here !== undefined ? [workspaceUser(here, true)] : []),
    ...others.map((workspace) => workspaceUser(workspace, false)),
    ...otherConnections(connections, keys, connection),
  ];
}

/** As a part of a list. */
export function describeKeyUser(user: KeyUser): string {
  const t = vscode.l10n.t;
  switch (user.kind) {
    case "workspace":
      if (user.isThis) return t("this workspace ({0})", user.name);
      return user.place === undefined
        ? t("workspace {0}", user.name)
        : t("workspace {0} ({1})", user.name, user.place);
    case "connection":
      return user.shares === "key"
        ? t("connection {0} (the same key)", user.name)
        : t("connection {0} (the same service)", user.name);
  }
}

function workspaceUser({ name, uri }: KnownWorkspace, isThis: boolean): KeyUser {
  const place = workspacePlace(uri, homedir().replaceAll("\\", "/"));
  return { kind: "workspace", name, ...(place === undefined ? {} : { place }), isThis };
}

function otherConnections(
  connections: WorkspaceConnections,
  keys: readonly SearchedKey[],
  connection: Connection,
): readonly KeyUser[] {
  const keyOf = (name: string) => keys.find(({ connectionName }) => connectionName === name)?.key;
  const old = keyOf(connection.name);
  return connections.all.flatMap((other): readonly KeyUser[] => {
    const { name } = other;
    if (name === connection.name) return [];
    if (old !== undefined && keyOf(name)?.isSameAs(old) === true)
      return [{ kind: "connection", name, shares: "key" }];
    return sameOrigin(other, connection) ? [{ kind: "connection", name, shares: "service" }] : [];
  });
}

function sameOrigin({ address: left }: Connection, { address: right }: Connection): boolean {
  return left.kind === "address" && right.kind === "address" && left.address.origin === right.address.origin;
}
