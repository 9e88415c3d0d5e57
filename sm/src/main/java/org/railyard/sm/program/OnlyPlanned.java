package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out what is planned, and nothing else: at the first Set that is not, it stops. */
public final class OnlyPlanned implements Executor {
    private final Executor executor;
    private final PlannedSets plan;
    private @Nullable String surprise;

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
                if (plan.has(update)) {
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
