/** The notes of presets, in the current language. */
import type { ModelPreset, Placeholder } from "../../generated/api";
import { inLocale } from "../../i18n";

export function presetTitle({ title, titleZh }: ModelPreset): string {
    return inLocale(title, titleZh ?? title);
}

export function presetNote({ note, noteZh }: ModelPreset): string | null {
    return inLocale(note, noteZh);
}

export function placeholderName({ what, whatZh }: Placeholder): string {
    return inLocale(what, whatZh);
}
