/** Keys as they are labelled on the user's keyboard. */
import { t } from "../i18n";

export function isMac(): boolean {
    return /mac/i.test(navigator.userAgent);
}

/** Of keys pressed together, as written in bindings: `Mod+Shift+K`. */
export function chordName(chord: string): string {
    return chord
        .split("+")
        .map(keyName)
        .join(isMac() ? "" : "+");
}

function keyName(key: string): string {
    switch (key) {
        case "Mod":
            return isMac() ? "⌘" : "Ctrl";
        case "Alt":
            return isMac() ? "⌥" : key;
        case "Shift":
            return isMac() ? "⇧" : key;
        case "Enter":
            return isMac() ? "↩" : key;
        case "Space":
            return t("shell.help.key.space");
        case "Escape":
            return "Esc";
        case "ArrowLeft":
            return "←";
        case "ArrowRight":
            return "→";
        case "ArrowUp":
            return "↑";
        case "ArrowDown":
            return "↓";
        case "PageUp":
            return "Page Up";
        case "PageDown":
            return "Page Down";
        default:
            return key;
    }
}
