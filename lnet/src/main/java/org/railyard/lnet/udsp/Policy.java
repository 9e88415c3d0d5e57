package org.railyard.lnet.udsp;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PairRule;
import org.railyard.lnet.model.Pairs;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidPattern;

/**
 * The rules of a node, in order, and their effect. Where two rules set the same thing, the one with the lower index
 * wins.
 */
public final class Policy {
    /** Most rules. */
    public static final int MAX_RULES = 256;

    private final List<UdspRule> rules = new ArrayList<>();
    private final Map<UdspRule, PairRule> pairs = new LinkedHashMap<>();
    private boolean counting;

    /** Makes a policy without rules. */
    public Policy() {}

    /**
     * Adds a rule; one that speaks of the same as a rule that is there takes that one's place. The caller applies the
     * rules anew.
     *
     * @param index the rule in front of which it goes; one that is not there, or below 0, for the end
     * @throws ErrnoException EALREADY if exactly this rule is there; ENOSPC at {@link #MAX_RULES}
     */
    public void add(UdspRule rule, int index) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).equals(rule)) {
                throw new ErrnoException(Errno.EALREADY, "selection rule " + i + " is the same: " + rule);
            }
            if (rules.get(i).hasSamePartsAs(rule)) {
                rules.set(i, rule);
                changed();
                return;
            }
        }
        if (rules.size() >= MAX_RULES) {
            throw new ErrnoException(
                    Errno.ENOSPC, "there are " + rules.size() + " selection rules, which is the limit; delete some");
        }
        rules.add(index < 0 || index > rules.size() ? rules.size() : index, rule);
        changed();
    }

    /**
     * Deletes a rule; those behind it move up. The caller applies the rules anew.
     *
     * @throws ErrnoException ENOENT if there is none with that index
     */
    public void delete(int index) {
        if (index < 0 || index >= rules.size()) {
            throw new ErrnoException(
                    Errno.ENOENT, "there is no selection rule " + index + "; there are " + rules.size());
        }
        rules.remove(index);
        changed();
    }

    /** Deletes all rules. The caller applies the rules anew. */
    public void clear() {
        rules.clear();
        changed();
    }

    private void changed() {
        pairs.clear();
        rules.stream().filter(UdspRule::isPair).forEach(rule -> pairs.put(rule, new PairRule(rule)));
        counting = rules.stream().anyMatch(rule -> rule.count() > 0);
    }

    /** Returns the rules, in order. */
    public List<UdspRule> rules() {
        return List.copyOf(rules);
    }

    /** Tells whether a rule counts its messages. */
    public boolean isCounting() {
        return counting;
    }

    /** Applies the rules to everything. */
    public void apply(Iterable<LocalNet> nets, Iterable<Peer> peers) {
        for (LocalNet net : nets) {
            apply(net);
            net.nis.forEach(this::apply);
        }
        for (Peer peer : peers) {
            for (PeerNet net : peer.nets) {
                apply(net);
                net.nis.forEach(this::apply);
            }
        }
    }

    /** Applies the rules to a local net. */
    public void apply(LocalNet net) {
        UdspRule rule = first(true, null, net.net());
        net.priority = rule == null ? LocalNet.NO_PRIORITY : (int) rule.priority();
    }

    /** Applies the rules to an NI. */
    public void apply(LocalNi ni) {
        UdspRule rule = first(true, ni.nid(), null);
        ni.priority = rule == null ? LocalNet.NO_PRIORITY : (int) rule.priority();
        pairs.values().forEach(pair -> pair.added(ni));
    }

    /** An NI is gone: no rule means it any more. */
    public void forget(LocalNi ni) {
        pairs.values().forEach(pair -> pair.removed(ni));
    }

    /** Applies the rules to a net of a peer. */
    public void apply(PeerNet net) {
        UdspRule rule = first(false, null, net.net());
        net.priority = rule == null ? LocalNet.NO_PRIORITY : (int) rule.priority();
    }

    /** Applies the rules to a peer NI. */
    public void apply(PeerNi ni) {
        ni.priority = LocalNet.NO_PRIORITY;
        ni.pairs = null;
        ni.routers = null;
        if (rules.isEmpty()) {
            return;
        }
        UdspRule first = first(false, ni.nid(), null);
        ni.priority = first == null ? LocalNet.NO_PRIORITY : (int) first.priority();
        List<PairRule> preferring = new ArrayList<>();
        for (int i = rules.size() - 1; i >= 0; i--) {
            UdspRule rule = rules.get(i);
            NidPattern dst = rule.dst();
            if (dst == null || !dst.matches(ni.nid())) {
                continue;
            }
            if (rule.rte() != null) {
                ni.routers = rule.rte();
            } else if (rule.isPair()) {
                // One without a priority replaces what rules behind it say, one with a priority takes its place among
                // them.
                if (rule.priority() == UdspRule.NO_PRIORITY) {
                    preferring.clear();
                }
                preferring.add(requireNonNull(pairs.get(rule)));
            }
        }
        ni.pairs = preferring.isEmpty() ? null : new Pairs(preferring);
    }

    /** Returns the first rule that gives a priority to a NID, or to a net as such; null if there is none. */
    private @Nullable UdspRule first(boolean local, @Nullable Nid nid, @Nullable Net net) {
        for (int i = 0; i < rules.size(); i++) {
            UdspRule rule = rules.get(i);
            NidPattern pattern = local ? rule.src() : rule.dst();
            NidPattern other = local ? rule.dst() : rule.src();
            if (pattern == null || other != null || rule.rte() != null) {
                continue;
            }
            if (pattern.isNet() ? net != null && pattern.net().matches(net) : nid != null && pattern.matches(nid)) {
                return rule;
            }
        }
        return null;
    }
}
