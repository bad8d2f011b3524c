/** The specification's rules for names, checked while the user types. */

export const LIMITS = { name: 64, description: 1024, compatibility: 500 } as const;

export type NameError = "empty" | "tooLong" | "characters" | "hyphens" | "taken";
export type PathError = "empty" | "outside" | "taken" | "characters";

/** Why `name` is wrong for a skill; names in `taken` exist already. */
export function nameError(name: string, taken: readonly string[]): NameError | null {
    if (name === "") {
        return "empty";
    }
    if (!/^[a-z0-9-]+$/.test(name)) {
        return "characters";
    }
    if (/^-|-$|--/.test(name)) {
        return "hyphens";
    }
    if (name.length > LIMITS.name) {
        return "tooLong";
    }
    return taken.includes(name) ? "taken" : null;
}

/** Why `path`, relative to a skill's folder, is wrong; paths in `taken` exist already. */
export function pathError(path: string, taken: readonly string[]): PathError | null {
    const parts = path.split("/");
    if (path.trim() === "" || parts.some((part) => part.trim() === "")) {
        return "empty";
    }
    if (parts.some((part) => part === "." || part === "..")) {
        return "outside";
    }
    if (/[<>:"|?*\\]/.test(path)) {
        return "characters";
    }
    return taken.includes(path) ? "taken" : null;
}

/** The last part of a path of any system. */
export function baseName(path: string): string {
    return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

export function parentOf(path: string): string {
    return path.replace(/[\\/][^\\/]*$/, "");
}

/** `path` is in `folder`, or is it. */
export function isWithin(path: string, folder: string): boolean {
    return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** `part` below `folder`, with the separator that `folder` uses. */
export function join(folder: string, part: string): string {
    const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
    return folder + separator + part.split("/").join(separator);
}
