package org.railyard.verbs.card.cm;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of peers that ends of connections are connected with. A peer that names one of them for another
 * connection knows nothing of the old one any more. Not thread-safe.
 *
 * @param <K> what identifies a queue pair
 * @param <I> the ends
 */
public final class RemoteQps<K, I extends CardCmId<?, ?>> {
    private final Map<K, I> ends = new LinkedHashMap<>();
    private final Map<I, K> qps = new LinkedHashMap<>();

    /** Makes one without entries. */
    public RemoteQps() {}

    /** Returns the end whose connection a queue pair has; one that is over has none, closed or not. */
    public @Nullable I connected(K qp) {
        I id = ends.get(qp);
        return id == null || id.isOver() ? null : id;
    }

    /** Notes that an end is connected with a queue pair, or is to be. */
    public void note(K qp, I id) {
        ends.put(qp, id);
        qps.put(id, qp);
    }

    /** Forgets an end. */
    public void forget(I id) {
        K qp = qps.remove(id);
        if (qp != null) {
            ends.remove(qp, id);
        }
    }

    /** Forgets everything. */
    public void clear() {
        ends.clear();
        qps.clear();
    }
}
