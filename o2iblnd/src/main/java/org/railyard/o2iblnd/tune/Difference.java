package org.railyard.o2iblnd.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What changes from one set of tunables to another, and by which dependencies (spec 22 mod-044).
 *
 * @param changes figures that differ, in their order
 * @param remarks those that were not there before
 */
public record Difference(List<Change> changes, List<Remark> remarks) {
    /** Copies the lists. */
    public Difference {
        changes = List.copyOf(changes);
        remarks = List.copyOf(remarks);
    }

    /**
     * A figure that differs.
     *
     * @param name its full name
     * @param before what it was; null if it was not there
     * @param after what it is; null if it is not there any more
     * @param chain the dependencies that led to it
     */
    public record Change(
            String name, @Nullable Figure before, @Nullable Figure after, List<TunableDependencies.Strand> chain) {
        /** Copies the list. */
        public Change {
            chain = List.copyOf(chain);
        }

        /** Returns the dependencies as people read them: names, and numbers of rows. */
        public String why() {
            StringBuilder text = new StringBuilder();
            for (TunableDependencies.Strand strand : chain) {
                if (text.isEmpty()) {
                    text.append(strand.from());
                }
                text.append(strand.row() == 0 ? " → " : " →(" + strand.row() + ") ")
                        .append(strand.to());
            }
            return text.toString();
        }
    }

    /** Compares two calculations. */
    public static Difference between(Calculation before, Calculation after) {
        Map<String, Figure> old = byName(before);
        Map<String, Figure> now = byName(after);
        Set<String> names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        Set<String> changed = new LinkedHashSet<>();
        for (String name : names) {
            Figure was = old.get(name);
            Figure is = now.get(name);
            if (was == null || is == null || !was.text().equals(is.text())) {
                changed.add(name);
            }
        }
        Set<String> causes = causes(before.scene(), after.scene());
        boolean eras = before.scene().era().isOld() || after.scene().era().isOld();
        List<Change> changes = new ArrayList<>();
        for (String name : changed) {
            changes.add(new Change(
                    name, old.get(name), now.get(name), TunableDependencies.chain(causes, name, changed, eras)));
        }
        List<Remark> remarks = new ArrayList<>(after.remarks());
        remarks.removeAll(before.remarks());
        return new Difference(changes, remarks);
    }

    private static Map<String, Figure> byName(Calculation calculation) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        calculation.figures().forEach(figure -> figures.put(figure.fullName(), figure));
        return figures;
    }

    private static Set<String> causes(Scene before, Scene after) {
        Set<String> causes = new LinkedHashSet<>();
        before.tunables().differences(after.tunables()).forEach(each -> causes.add(each.text()));
        before.peerTunables().differences(after.peerTunables()).forEach(each -> causes.add("peer:" + each.text()));
        note(causes, "device", before.device().equals(after.device()));
        note(causes, "registration", before.registration() == after.registration());
        note(causes, "peers", before.peers() == after.peers());
        note(causes, "routes", before.routes() == after.routes());
        note(causes, "cpts", before.cpts() == after.cpts());
        return causes;
    }

    private static void note(Set<String> causes, String name, boolean same) {
        if (!same) {
            causes.add(name);
        }
    }
}
