package org.railyard.base.tune;

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
                    + spec.help() + spec.notes() + parameter(spec) + " |\n");
        }
        return table.toString();
    }

    private static String parameter(TunableSpec spec) {
        return spec.parameter().equals(spec.name()) ? "" : "; module parameter `" + spec.parameter() + "`";
    }
}
