/** The three things to do first: the first page begins with them, and Help finds them again. */
import FolderOpen from "@lucide/svelte/icons/folder-open";
import Play from "@lucide/svelte/icons/play";
import ScanEye from "@lucide/svelte/icons/scan-eye";
import { t } from "../i18n";
import { app } from "./app.svelte";
import { skills } from "./skills.svelte";

export interface FirstStep {
    id: "see" | "scene" | "open";
    icon: typeof Play;
    title: string;
    text: string;
    run: () => void;
}

export function firstSteps(): FirstStep[] {
    return [
        { id: "see", icon: ScanEye, title: t("skills.first.see"), text: t("skills.first.seeText"), run: () => app.go("inspect") },
        { id: "scene", icon: Play, title: t("skills.first.scene"), text: t("skills.first.sceneText"), run: () => app.go("run") },
        {
            id: "open",
            icon: FolderOpen,
            title: t("skills.first.open"),
            text: t("skills.openFolderText"),
            run: () => void skills.pickAndOpen(t("skills.pickFolder")),
        },
    ];
}
