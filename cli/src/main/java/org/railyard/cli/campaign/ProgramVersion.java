package org.railyard.cli.campaign;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Which program runs. */
final class ProgramVersion {
    private static final String COMMIT = "commit ";

    private ProgramVersion() {}

    /** Returns name, version and commit of the program. */
    static String of(CommandSpec spec) {
        try {
            List<String> lines = List.of(spec.root().version());
            List<String> all = spec.root().versionProvider() == null
                    ? lines
                    : List.of(spec.root().versionProvider().getVersion());
            if (all.isEmpty()) {
                return "railyard";
            }
            String build = all.size() > 1 && all.get(1).startsWith(COMMIT) ? all.get(1) : "";
            return all.getFirst() + (build.isEmpty() ? "" : " " + build.split(",", -1)[0]);
        } catch (Exception e) {
            throw new IllegalStateException("the version of the program is not known", e);
        }
    }
}
