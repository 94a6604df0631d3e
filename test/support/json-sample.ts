type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parts(schema: Schema, key: string): readonly Schema[] {
  const value = schema[key];
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** A small value that fits a JSON schema: of an object what is required, with one more field where a schema asks for some. */
export function sampleOf(schema: Schema, text: string): unknown {
  const [first] = parts(schema, "anyOf");
  if (first !== undefined) return sampleOf(first, text);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return isSchema(schema.items) ? [sampleOf(schema.items, text)] : [];
    default:
      return sampleObject(schema, text);
  }
}

function sampleObject(schema: Schema, text: string): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties).filter((name) => required.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const property = properties[name];
      return [name, isSchema(property) ? sampleOf(property, text) : text];
    }),
  );
}
