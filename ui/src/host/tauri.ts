/** The real host: the shell behind the window. */
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { getCurrentWindow } from "@tauri-apps/api/window";
import { open, save } from "@tauri-apps/plugin-dialog";
import { toApiError, type Host } from ".";
import type { Push } from "../generated/api";

export function tauriHost(): Host {
    return {
        async call(name, args) {
            try {
                return await invoke(name, { args });
            } catch (thrown) {
                throw toApiError(thrown);
            }
        },
        listen: (onPush) => listen<Push>("push", (event) => onPush(event.payload)),
        pickFolder: (title) => open({ directory: true, multiple: false, title }),
        pickFile: (title) => open({ directory: false, multiple: false, title }),
        pickSave: (title, name) => save({ title, defaultPath: name }),
        onDrag: (onEvent) =>
            getCurrentWebview().onDragDropEvent(({ payload }) => {
                switch (payload.type) {
                    case "enter":
                    case "over":
                        return onEvent({ type: "over" });
                    case "leave":
                        return onEvent({ type: "leave" });
                    case "drop":
                        return onEvent({ type: "drop", paths: payload.paths });
                }
            }),
        copy: (text) =>
            typeof text === "string"
                ? navigator.clipboard.writeText(text)
                : navigator.clipboard.write([
                      new ClipboardItem({ "text/plain": text.then((value) => new Blob([value], { type: "text/plain" })) }),
                  ]),
        onClose: (allow) =>
            getCurrentWindow().onCloseRequested(async (event) => {
                if (!(await allow())) {
                    event.preventDefault();
                }
            }),
        setZoom: (factor) => getCurrentWebview().setZoom(factor),
        setTitle: (title) => getCurrentWindow().setTitle(title),
    };
}
