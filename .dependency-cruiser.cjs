/** The floors of docs/design.md, ground floor first: a file imports only from its own folder or a lower floor. */
const FLOORS = [
  "records",
  "language",
  "models",
  "store",
  "retrievers",
  "stages",
  "graph",
  "memory",
  "agents",
  "eval",
  "server",
  "mcp",
  "inspector",
  "cli",
];

/** Doors for people and programs: they see the package as its users do, by its index. */
const DOORS = ["server", "mcp", "inspector", "cli"];

function above(floor, index) {
  const higher = FLOORS.slice(index + 1).map((name) => `${name}/`);
  return DOORS.includes(floor) ? higher : [...higher, "index\\.ts"];
}

const higherFloors = FLOORS.filter((floor) => floor !== "cli").map((floor, index) => ({
  name: `floor-${floor}`,
  comment: `src/${floor} may not import from a higher floor.`,
  severity: "error",
  from: { path: `^src/${floor}/` },
  to: { path: `^src/(${above(floor, index).join("|")})` },
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...higherFloors,
    {
      name: "lancedb-only-in-store",
      comment: "Above src/store nobody sees a LanceDB or Arrow type.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/" },
      to: { path: "node_modules/(@lancedb|apache-arrow)" },
    },
    {
      name: "stages-never-touch-the-store",
      severity: "error",
      from: { path: "^src/stages/" },
      to: { path: "^src/store/" },
    },
    {
      name: "stages-keep-to-themselves",
      comment: "A stage knows its own folder, the shared run, and the floors below.",
      severity: "error",
      from: { path: "^src/stages/([^/]+)/" },
      to: { path: "^src/stages/([^/]+)/", pathNot: "^src/stages/$1/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
