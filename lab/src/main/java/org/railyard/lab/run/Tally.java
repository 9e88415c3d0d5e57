package org.railyard.lab.run;

import java.util.EnumMap;
import java.util.Map;
import org.railyard.lab.net.BreakCause;
import org.railyard.lab.net.Machine;
import org.railyard.lab.net.NetListener;
import org.railyard.lab.observe.Call;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.nid.Nid;

/** Counts what the result of a run tells, and passes what the network says on to the journal. */
final class Tally implements NetListener, CallWatch {
    private final Journal journal;
    private final long[] outcomes = new long[Outcome.values().length];
    private long messages;

    Tally(Journal journal) {
        this.journal = journal;
    }

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
    public void handedOver(Machine machine, Nid from, Nid to) {
        messages++;
    }

    @Override
    public void connected(Machine machine, Nid from, Nid to) {
        journal.connected(machine, from, to);
    }

    @Override
    public void broken(Machine machine, Nid from, Nid to, BreakCause cause) {
        journal.broken(machine, from, to, cause);
    }

    @Override
    public void lost(Nid from, Nid to) {
        journal.lost(from, to);
    }

    @Override
    public void duplicate(Nid from, Nid to) {
        journal.duplicate(from, to);
    }
}
