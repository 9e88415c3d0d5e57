package org.railyard.node.o2ib;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.text.Doc;
import org.railyard.base.tune.TunableKey;
import org.railyard.doctor.HostFacts.CardFault;
import org.railyard.doctor.HostFacts.CardTrouble;
import org.railyard.ibverbs.CardProblem;
import org.railyard.ibverbs.CardReport;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.ibverbs.IbvTunable;
import org.railyard.ibverbs.MemoryLimit;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;

/**
 * RDMA cards, by libibverbs and librdmacm: {@code ibv:mlx5_0,mlx5_1}, or {@code auto} for all there are; and their
 * module parameters, {@code ibv.…}.
 */
public final class IbvCards implements CardKind {
    static final String PREFIX = "ibv.";

    private static final String REGISTERED = "registered_bytes";

    private final boolean named;
    private final MemoryMode memory;

    private IbvCards(boolean named, Map<String, String> parameters) {
        this.named = named;
        MemoryMode wanted = MemoryMode.COPY;
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            if (each.getKey().startsWith(PREFIX)) {
                IbvTunable tunable = TunableKey.named(
                        "ibv", IbvTunable.values(), each.getKey().substring(PREFIX.length()));
                wanted = MemoryMode.values()[tunable.spec().read(each.getValue())];
            }
        }
        memory = wanted;
    }

    /**
     * Returns those that are named: {@code ibv:mlx5_0}; {@code ibv} alone means all.
     *
     * @param parameters module parameters by name; others than {@code ibv.…} are no matter of it
     * @throws ErrnoException EINVAL if there is no such tunable, or its value is none
     */
    public static IbvCards byName(Map<String, String> parameters) {
        return new IbvCards(true, parameters);
    }

    /**
     * Returns all that there are: {@code auto}.
     *
     * @param parameters as in {@link #byName}
     * @throws ErrnoException as in {@link #byName}
     */
    public static IbvCards automatic(Map<String, String> parameters) {
        return new IbvCards(false, parameters);
    }

    MemoryMode memory() {
        return memory;
    }

    @Override
    public String name() {
        return named ? "ibv" : "auto";
    }

    /**
     * {@inheritDoc}
     *
     * @param interfaces names of devices, such as {@code mlx5_0}; none for all
     * @throws VerbsException what is missing, in one line, and what to do
     */
    @Override
    public VerbsProvider open(Host host, List<String> interfaces) {
        if (!named && !interfaces.isEmpty()) {
            throw new ErrnoException(
                    Errno.EINVAL, "auto takes all cards; to name some, say ibv:" + String.join(",", interfaces));
        }
        return IbvProvider.open(host, interfaces, memory);
    }

    @Override
    public Map<String, Long> state(VerbsProvider provider) {
        return provider instanceof IbvProvider cards ? Map.of(REGISTERED, cards.pinnedBytes()) : Map.of();
    }

    @Override
    public Map<String, Object> memory(VerbsProvider provider) {
        if (!(provider instanceof IbvProvider cards)) {
            return Map.of();
        }
        OptionalLong limit = MemoryLimit.read();
        return new Doc()
                .put(REGISTERED, cards.pinnedBytes())
                .put("limit_bytes", limit.isPresent() ? limit.getAsLong() : "unlimited")
                .map();
    }

    @Override
    public List<CardFault> faults() {
        return CardReport.problemsOfSystem().stream().map(IbvCards::fault).toList();
    }

    static CardFault fault(CardProblem problem) {
        return new CardFault(
                CardTrouble.valueOf(problem.kind().name()), problem.subject(), problem.found(), problem.interfaces());
    }
}
