package org.railyard.lab.run;

import java.util.EnumMap;
import java.util.Map;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.LndWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;

/** Counts what the result of a run tells. */
final class Tally implements LndWatch, CallWatch {
    private final long[] outcomes = new long[Outcome.values().length];
    private long messages;

    long messages() {
        return messages;
    }

    Map<Outcome, Long> outcomes() {
        Map<Outcome, Long> map = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            map.put(outcome, outcomes[outcome.ordinal()]);
        }
        return map;
    }

    @Override
    public void closed(Call call, Outcome outcome) {
        outcomes[outcome.ordinal()]++;
    }

    @Override
    public void arriving(NodeRun life, LndNi ni, LNetHeader header, Nid from) {
        messages++;
    }
}
