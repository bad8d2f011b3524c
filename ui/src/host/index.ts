/**
 * The world outside the window: commands, pushes, dialogs, clipboard, the window itself.
 * Only `state/` uses it; which host is behind it is decided once, at start.
 */
import type { ApiError, Commands, Push } from "../generated/api";
import { called, pushed } from "./changes";

export type CommandName = keyof Commands;
export type Unlisten = () => void;

/** A folder dragged over the window. */
export type DragEvent = { type: "over" } | { type: "leave" } | { type: "drop"; paths: string[] };

export interface Host {
    /** Rejects with an `ApiError`. */
    call<K extends CommandName>(name: K, args: Commands[K]["args"]): Promise<Commands[K]["result"]>;
    listen(onPush: (push: Push) => void): Promise<Unlisten>;
    /** `null`: the user cancelled. */
    pickFolder(title: string): Promise<string | null>;
    /** The file that the user chose; `null`: none. */
    pickFile(title: string): Promise<string | null>;
    /** Where to write a file; `null` if the user cancelled. */
    pickSave(title: string, name: string): Promise<string | null>;
    onDrag(onEvent: (event: DragEvent) => void): Promise<Unlisten>;
    /** Call it while a click or key is handled: engines refuse the clipboard later. A text still to come may be given as a promise. */
    copy(text: string | Promise<string>): Promise<void>;
    /** `allow` answers whether the window may close now. */
    onClose(allow: () => Promise<boolean>): Promise<Unlisten>;
    /** 1 is 100 %. */
    setZoom(factor: number): Promise<void>;
    setTitle(title: string): Promise<void>;
}

let current: Host | null = null;

export function setHost(host: Host): void {
    current = host;
}

function installed(): Host {
    if (current === null) {
        throw new Error("no host is set");
    }
    return current;
}

export const host: Host = {
    call: async (name, args) => {
        try {
            return await installed().call(name, args);
        } finally {
            called(name);
        }
    },
    listen: (onPush) =>
        installed().listen((push) => {
            onPush(push);
            pushed(push);
        }),
    pickFolder: (title) => installed().pickFolder(title),
    pickFile: (title) => installed().pickFile(title),
    pickSave: (title, name) => installed().pickSave(title, name),
    onDrag: (onEvent) => installed().onDrag(onEvent),
    copy: (text) => installed().copy(text),
    onClose: (allow) => installed().onClose(allow),
    setZoom: (factor) => installed().setZoom(factor),
    setTitle: (title) => installed().setTitle(title),
};

/** Whatever was thrown, as the error the window shows. */
export function toApiError(thrown: unknown): ApiError {
    if (isApiError(thrown)) {
        return { ...thrown, messageZh: thrown.messageZh ?? thrown.message, hintZh: thrown.hintZh ?? thrown.hint };
    }
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { code: "unknown", message, messageZh: message, hint: null, hintZh: null, path: null, why: null };
}

/** The host of the tests says nothing in Chinese. */
function isApiError(value: unknown): value is Omit<ApiError, "messageZh" | "hintZh"> & Partial<ApiError> {
    return typeof value === "object" && value !== null && "code" in value && "message" in value && "hint" in value;
}
