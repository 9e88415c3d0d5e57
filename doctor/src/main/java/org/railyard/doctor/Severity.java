package org.railyard.doctor;

import java.util.Locale;

/** How bad a finding is. From the worst. */
public enum Severity {
    /** Something does not work. */
    ERROR,
    /** It works, and not as it should, or not when something else fails. */
    WARNING,
    /** Worth knowing. */
    INFO;

    /** Returns its name in documents. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
