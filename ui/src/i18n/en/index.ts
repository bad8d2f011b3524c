import { editor } from "./editor";
import { inspect } from "./inspect";
import { problem } from "./problem";
import { run } from "./run";
import { shell } from "./shell";
import { skills } from "./skills";
import { trace } from "./trace";

export const en = { ...shell, ...skills, ...editor, ...problem, ...inspect, ...run, ...trace };
