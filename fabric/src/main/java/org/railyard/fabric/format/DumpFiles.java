package org.railyard.fabric.format;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;

/** The files of a routed fabric, under the names that OpenSM and ibdmchk give them (spec 31). */
public final class DumpFiles {
    /**
     * Most lines of {@code ibdm.psl}, which has one for each CA and LID: some 3 GB. ibdmchk itself takes days for less.
     */
    public static final long MAX_PATH_SL_LINES = 100_000_000;

    private DumpFiles() {}

    /** Returns why there is no {@code ibdm.psl} of a fabric; empty if there is one. */
    public static Optional<String> withoutPathSls(Fabric fabric) {
        long lines = PathSlFile.maxLines(fabric);
        return lines <= MAX_PATH_SL_LINES
                ? Optional.empty()
                : Optional.of("no ibdm.psl: it would have up to %d lines, more than ibdmchk can use; ".formatted(lines)
                        + "verify takes SLs from --conf FILE or --sl N");
    }

    /**
     * Returns what writes each file, by its name.
     *
     * @param subnet the fabric and the subnet manager's port
     * @param routing its tables
     * @param places where the switches of a torus are; empty: there is no {@code opensm-torus.dump}
     */
    public static Map<String, Consumer<TextSink>> of(SubnetList subnet, Routing routing, Optional<TorusDump> places) {
        Fabric fabric = subnet.fabric();
        Map<String, Consumer<TextSink>> files = new LinkedHashMap<>();
        files.put("guid2lid", sink -> sink.write(Guid2Lid.of(fabric).text()));
        files.put("opensm-subnet.lst", sink -> sink.write(subnet.text()));
        files.put("opensm-lfts.dump", sink -> LftsDump.write(fabric, routing.forwarding(), sink));
        files.put("opensm-sl2vl.dump", sink -> sink.write(Sl2VlDump.text(fabric, routing.slToVl())));
        files.put("opensm.fdbs", sink -> UnicastDump.write(fabric, routing.forwarding(), sink));
        files.put("opensm.mcfdbs", sink -> sink.write(MulticastDump.text(fabric, routing.multicast())));
        if (withoutPathSls(fabric).isEmpty()) {
            files.put("ibdm.psl", sink -> PathSlFile.write(fabric, routing.sls(), 0, sink));
        }
        files.put("ibdm.slvl", sink -> sink.write(SlVlFile.text(fabric, routing.slToVl())));
        places.ifPresent(dump -> files.put("opensm-torus.dump", sink -> sink.write(dump.text())));
        return files;
    }
}
