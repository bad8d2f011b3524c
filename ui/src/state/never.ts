/** Closes a switch over a union: a new variant fails the type check here. */
export function assertNever(value: never): never {
    throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
