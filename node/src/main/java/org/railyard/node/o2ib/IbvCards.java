package org.railyard.node.o2ib;

import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.doctor.HostFacts.CardFault;
import org.railyard.doctor.HostFacts.CardTrouble;
import org.railyard.ibverbs.CardProblem;
import org.railyard.ibverbs.CardReport;
import org.railyard.ibverbs.IbvProvider;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;

/** RDMA cards, by libibverbs and librdmacm: {@code ibv:mlx5_0,mlx5_1}, or {@code auto} for all there are. */
public final class IbvCards implements CardKind {
    private final boolean named;

    private IbvCards(boolean named) {
        this.named = named;
    }

    /** Returns those that are named: {@code ibv:mlx5_0}; {@code ibv} alone means all. */
    public static IbvCards byName() {
        return new IbvCards(true);
    }

    /** Returns all that there are: {@code auto}. */
    public static IbvCards automatic() {
        return new IbvCards(false);
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
        return IbvProvider.open(host, interfaces);
    }

    @Override
    public Map<String, Long> state(VerbsProvider provider) {
        return provider instanceof IbvProvider cards ? Map.of("registered_bytes", cards.pinnedBytes()) : Map.of();
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
