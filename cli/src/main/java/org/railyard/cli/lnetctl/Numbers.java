package org.railyard.cli.lnetctl;

import java.util.List;

/** Numeric options of the commands that have always overlooked what is no number. */
final class Numbers {
    private Numbers() {}

    /** Tells which options are overlooked. */
    static void warn(Line line, Session session, List<String> names) {
        for (String name : line.notNumbers(names)) {
            session.err()
                    .println("lnetctl: warning: --" + name + " '" + line.get(name)
                            + "' is no number and is overlooked; its default counts");
        }
    }
}
