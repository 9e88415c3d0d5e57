package org.railyard.o2iblnd;

import java.util.function.Function;
import org.railyard.base.host.Host;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.NetType;
import org.railyard.o2iblnd.bond.Targets;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.VerbsProvider;

/** Makes transports over InfiniBand for nodes with given cards. */
public final class O2ibLndProvider implements LndProvider {
    private final Function<Host, VerbsProvider> cards;
    private final Tunables tunables;
    private final Targets targets;

    /**
     * Makes a provider.
     *
     * @param cards the cards of a node
     * @param tunables values of tunables for NIs that have none of their own
     */
    public O2ibLndProvider(Function<Host, VerbsProvider> cards, Tunables tunables) {
        this(cards, tunables, new Targets());
    }

    /**
     * Makes a provider for nodes whose groups reach peers at several addresses.
     *
     * @param cards the cards of a node
     * @param tunables values of tunables for NIs that have none of their own
     * @param targets at which addresses peers are to be reached; may be changed at any time
     */
    public O2ibLndProvider(Function<Host, VerbsProvider> cards, Tunables tunables, Targets targets) {
        this.cards = cards;
        this.tunables = tunables;
        this.targets = targets;
    }

    @Override
    public NetType type() {
        return NetType.O2IB;
    }

    @Override
    public Lnd create(LndUpcalls stack, Host host) {
        return new O2ibLnd(stack, host, cards.apply(host), tunables, targets, ip -> 0);
    }
}
