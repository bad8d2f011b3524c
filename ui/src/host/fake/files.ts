/** The sample folders. They are files, so that the real workbench can be asked about them too. */
import type { Folder } from "../../generated/api";

const BUNDLED = "/opt/skill-workbench/skills";
const OWN = "/home/ada/work/skills";

export const SAMPLE_FOLDERS: readonly Folder[] = [
    { path: BUNDLED, name: "skills", bundled: true, watched: true },
    { path: OWN, name: "skills", bundled: false, watched: true },
];

const TEXTS = import.meta.glob<string>("./sample/**/*", { query: "?raw", import: "default", eager: true });

export const SAMPLE_FILES: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(TEXTS).map(([path, text]) => [path.replace("./sample/bundled", BUNDLED).replace("./sample/own", OWN), text]),
);
