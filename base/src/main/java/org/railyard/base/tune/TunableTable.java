package org.railyard.base.tune;

import java.util.ArrayList;
import java.util.List;

/** Tunables as a table of the docs. */
public final class TunableTable {
    private TunableTable() {}

    /** Returns a table in Markdown: name, default, range with unit, what it means and its flags. */
    public static String markdown(List<? extends TunableKey> tunables) {
        StringBuilder table = new StringBuilder("| Name | Default | May be | Means |\n|---|---|---|---|\n");
        for (TunableKey each : tunables) {
            TunableSpec spec = each.spec();
            table.append("| `" + spec.name() + "` | " + spec.defaultText() + " | " + spec.allowed() + " | "
                    + spec.help() + notes(spec) + " |\n");
        }
        return table.toString();
    }

    private static String notes(TunableSpec spec) {
        List<String> notes = new ArrayList<>();
        for (TunableSpec.Flag flag : TunableSpec.Flag.values()) {
            if (spec.is(flag)) {
                notes.add(flag.text());
            }
        }
        if (!spec.parameter().equals(spec.name())) {
            notes.add("module parameter `" + spec.parameter() + "`");
        }
        return notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")";
    }
}
