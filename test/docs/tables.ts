import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT, readPages } from "./pages.js";

/** The first column of the first table under a heading, cells with several names taken apart, without their code marks. */
export function firstColumn(path: string, heading: string): readonly string[] {
  const lines = readPages().find((page) => page.path === path)?.lines ?? [];
  const after = lines.slice(lines.indexOf(heading) + 1);
  const start = after.findIndex((line) => line.startsWith("| "));
  const rows = after.slice(start, start + after.slice(start).findIndex((line) => !line.startsWith("|")));
  return rows.slice(2).flatMap((row) => (row.split("|")[1] ?? "").trim().replaceAll("`", "").split(", "));
}

function membersOf(prefix: string, members: readonly ts.TypeElement[]): readonly string[] {
  return members.filter(ts.isPropertySignature).flatMap((member) => {
    const name = `${prefix}${member.name.getText()}`;
    const { type } = member;
    const isGroup = type !== undefined && ts.isTypeLiteralNode(type) && type.members.some(ts.isPropertySignature);
    return isGroup ? membersOf(`${name}.`, type.members) : [name];
  });
}

/** The members that a declaration itself writes down: an interface's, or those of the objects in `Other & { … }`. */
function ownMembers(node: ts.Statement): readonly ts.TypeElement[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  if (!ts.isTypeAliasDeclaration(node)) return [];
  const parts: readonly ts.TypeNode[] = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type];
  return parts.filter(ts.isTypeLiteralNode).flatMap(({ members }) => [...members]);
}

/** The names of the options that a type itself writes down, those of a nested object as `window.size`. */
export function optionsOf(file: string, name: string): readonly string[] {
  const path = join(ROOT, file);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const isNamed = (node: ts.Statement): boolean =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name;
  const options = source.statements.filter(isNamed).flatMap((node) => membersOf("", ownMembers(node)));
  if (options.length === 0) throw new Error(`${file} has no type ${name} with members of its own.`);
  return options;
}
