package org.railyard.sm.program;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Sends nothing: everything is as if it had been accepted. What nodes hold is wrong afterwards. */
public final class DryRun implements Executor {
    private final Consumer<Update> listener;

    /** Makes one that tells each Set that would be sent. */
    public DryRun(Consumer<Update> listener) {
        this.listener = listener;
    }

    @Override
    public boolean isDry() {
        return true;
    }

    @Override
    public void run(List<Phase> phases, Consumer<Result> done) {
        List<Figures> figures = new ArrayList<>();
        for (Phase phase : phases) {
            long sets = 0;
            Set<Long> nodes = new TreeSet<>();
            for (Iterator<Update> updates = phase.updates().get(); updates.hasNext(); sets++) {
                Update update = updates.next();
                listener.accept(update);
                nodes.add(update.node().guid());
                update.accepted().accept(update.mad());
            }
            if (sets > 0) {
                figures.add(new Figures(phase.name(), phase.why(), sets, 0, nodes.size()));
            }
        }
        done.accept(new Result(figures, List.of(), true, false));
    }
}
