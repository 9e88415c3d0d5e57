package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.Mad;

/** Carries out what is planned, and nothing else: at the first Set that is not, it stops. */
public final class OnlyPlanned implements Executor {
    private final Executor executor;
    private final PlannedSets plan;
    private final Map<Place, PortInfo> asked = new LinkedHashMap<>();
    private @Nullable String surprise;

    private record Place(long node, int port) {}

    /** Makes one that leaves the sending to another one. */
    public OnlyPlanned(Executor executor, PlannedSets plan) {
        this.executor = executor;
        this.plan = plan;
    }

    @Override
    public boolean isDry() {
        return executor.isDry();
    }

    @Override
    public void run(List<Phase> phases, Consumer<Result> done) {
        List<Phase> checked = phases.stream()
                .map(phase -> new Phase(
                        phase.name(),
                        phase.why(),
                        phase.strict(),
                        phase.settleNanos(),
                        phase.settled(),
                        () -> new Checked(phase.updates().get())))
                .toList();
        executor.run(checked, result -> {
            String found = surprise;
            if (found == null) {
                done.accept(result);
                return;
            }
            List<String> problems = new ArrayList<>(result.problems());
            problems.add("not planned, so it and what follows is not written: " + found);
            done.accept(new Result(result.figures(), problems, false, true));
        });
    }

    /**
     * Returns a Set as the plan has it, which was made as if devices took all that they are told. Each Set of a port
     * carries all its fields, also those of a Set before that the device has acknowledged and kept as they were.
     */
    private Mad asPlanned(Update update) {
        Mad set = update.mad();
        if (!set.isAbout(PortInfo.TYPE)) {
            return set;
        }
        int port = Modifiers.portOf(set.modifier());
        Place place = new Place(update.node().guid(), port);
        PortInfo planned = PortInfo.TYPE.copy(set.data(PortInfo.TYPE));
        PortInfo before = asked.get(place);
        PortInfo held = update.node().port(port);
        if (before != null && held != null) {
            PortInfo wanted = planned;
            planned = before.toSet();
            for (BitField field : wanted.differences(held.toSet())) {
                planned.set(field, wanted.get(field));
            }
        }
        asked.put(place, planned);
        return set.copy().setData(PortInfo.TYPE, planned);
    }

    /** Updates up to the first one that is not planned. */
    private final class Checked implements Iterator<Update> {
        private final Iterator<Update> updates;
        private @Nullable Update next;

        Checked(Iterator<Update> updates) {
            this.updates = updates;
        }

        @Override
        public boolean hasNext() {
            if (next == null && surprise == null && updates.hasNext()) {
                Update update = updates.next();
                if (plan.has(update.node(), asPlanned(update))) {
                    next = update;
                } else {
                    surprise = PlannedSets.text(update);
                }
            }
            return next != null;
        }

        @Override
        public Update next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Update update = next;
            next = null;
            if (update == null) {
                throw new NoSuchElementException();
            }
            return update;
        }
    }
}
