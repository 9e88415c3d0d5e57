package org.railyard.o2iblnd;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.tune.Remark;

/** Tells what is odd about the tunables of NIs: warnings for each NI, a notice once for each tunable. Thread-safe. */
final class Remarks {
    private final System.Logger log;
    private final Consumer<String> warnings;
    private final Map<String, Boolean> noticed = new ConcurrentHashMap<>();

    /**
     * Makes one that has told nothing.
     *
     * @param log for notices
     * @param warnings takes the lines of warnings
     */
    Remarks(System.Logger log, Consumer<String> warnings) {
        this.log = log;
        this.warnings = warnings;
    }

    void tell(Nid ni, Remark remark) {
        if (remark.severity() != Remark.Severity.NOTICE) {
            warnings.accept(ni + ": " + remark);
        } else if (noticed.putIfAbsent(remark.subject(), true) == null) {
            log.log(System.Logger.Level.INFO, remark.toString());
        }
    }
}
