/** Passes the shell's pushes to their subscribers. */
import type { Push } from "../generated/api";
import { host } from "../host";

const listeners = new Set<(push: Push) => void>();

export function onPush(listener: (push: Push) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

/** Called once, at start. */
export function startPushes(): Promise<() => void> {
    return host.listen((push) => {
        for (const listener of listeners) {
            listener(push);
        }
    });
}
