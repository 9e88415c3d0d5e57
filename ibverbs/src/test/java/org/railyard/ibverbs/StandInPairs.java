package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.railyard.base.host.Host;
import org.railyard.conformance.Polling;
import org.railyard.conformance.bond.NodeCards;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.NetType;
import org.railyard.o2iblnd.O2ibLnd;
import org.railyard.testkit.LogTap;

/** Four machines with two cards each, which stand in for real ones. Card c of machine m is 10.79.c.(1+m). */
abstract class StandInPairs implements NodeCards {
    static final int MACHINES = 4;

    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private final LogTap log;
    private final StandInNetwork network = new StandInNetwork();
    private final List<StandIn> machines = new ArrayList<>();
    private final List<IbvProvider> providers = new ArrayList<>();
    private final Map<Integer, O2ibLnd> lnds = new HashMap<>();

    /** Makes machines, and listens to a class that logs. */
    StandInPairs(Class<?> logger) {
        log = new LogTap(logger.getName());
        for (int machine = 0; machine < MACHINES; machine++) {
            StandIn made = network.add("mlx5_0", ip(machine, 0));
            made.addCard("mlx5_1", ip(machine, 1));
            machines.add(made);
        }
    }

    /** Makes the transport of a node on its cards. */
    abstract O2ibLnd make(LndUpcalls stack, Host host, IbvProvider cards);

    static int ip(int machine, int card) {
        return StandInWorld.FIRST_IP + (card << Byte.SIZE) + machine;
    }

    List<StandIn> machines() {
        return machines;
    }

    boolean isLogged(String text) {
        return log.lines().stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public LndProvider transport(int node) {
        return new LndProvider() {
            @Override
            public NetType type() {
                return NetType.O2IB;
            }

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                List<InterfaceProbe.Address> addresses = List.of(
                        new InterfaceProbe.Address("ib0", ip(node, 0)), new InterfaceProbe.Address("ib1", ip(node, 1)));
                IbvProvider cards = new IbvProvider(
                        host,
                        new NativeCards(new NativeVerbs(machines.get(node).functions())),
                        List.of(),
                        MemoryMode.COPY,
                        () -> addresses);
                providers.add(cards);
                O2ibLnd made = make(stack, host, cards);
                lnds.put(node, made);
                return made;
            }
        };
    }

    /** Returns the transport of a node that was started. */
    O2ibLnd lnd(int node) {
        O2ibLnd lnd = lnds.get(node);
        if (lnd == null) {
            throw new IllegalStateException("node " + node + " was not started");
        }
        return lnd;
    }

    @Override
    public boolean await(BooleanSupplier condition) {
        return Polling.until(condition, LIMIT_NANOS, LOOK_NANOS);
    }

    @Override
    public void close() {
        providers.forEach(IbvProvider::close);
        log.close();
        network.closeUnused();
    }
}
