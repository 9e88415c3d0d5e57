package org.railyard.control.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Place;
import org.railyard.config.BondSpec;
import org.railyard.config.Configuration;
import org.railyard.config.NiSpec;
import org.railyard.config.O2ibSpec;
import org.railyard.config.PeerSpec;
import org.railyard.config.RouteSpec;
import org.railyard.config.RuleSpec;
import org.railyard.control.ConfigOperation;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.api.PeerInfo;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;

/**
 * Deletes from a node what a configuration lists, as far as it is there; goes on after a refusal, and tells the first
 * (spec 12 §5.1).
 */
final class Deleter {
    private static final int DEFAULT_TABLE = 4096;

    private final ConfigOperation.Import operation;
    private final Edits edits;
    private final Running running;
    private final List<Failure> failures = new ArrayList<>();

    /** By primary NID, the peers of the document that were there before anything was deleted, with all their NIDs. */
    private final Map<Nid, List<Nid>> there = new LinkedHashMap<>();

    Deleter(ConfigOperation.Import operation, Running running, Edits edits) {
        this.running = running;
        this.operation = operation;
        this.edits = edits;
    }

    private LNet lnet() {
        return edits.lnet();
    }

    /** Deletes, section by section in the order of the document. */
    void delete(Configuration listed) {
        for (PeerSpec peer : listed.peers()) {
            lnet().inventory()
                    .peer(peer.primary())
                    .filter(one -> one.primaryNid().equals(peer.primary()))
                    .ifPresent(one -> there.put(
                            peer.primary(),
                            one.nis().stream().map(PeerInfo.PeerNiInfo::nid).toList()));
        }
        for (String section : listed.rest().sections()) {
            switch (section) {
                case "net" -> listed.nis().forEach(this::delete);
                case "route" -> listed.rest().routes().forEach(this::delete);
                case "ip2nets" -> ofAddresses(listed).forEach(this::delete);
                case "routing" -> at(file(), () -> edits.setForwarding(false));
                case "bond" -> listed.rest().bonds().forEach(this::delete);
                case "o2ibs" -> listed.rest().targets().forEach(this::delete);
                case "peer" -> listed.peers().forEach(this::delete);
                case "udsp" -> listed.rules().reversed().forEach(this::delete);
                case "global" -> reset();
                default -> {
                    // Settings that the tool has never reset, and what only told something.
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new PartlyDone(failures.getFirst());
        }
    }

    /** Some of it is done, and stays. */
    static final class PartlyDone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Failure failure;

        PartlyDone(Failure failure) {
            super(failure.text());
            this.failure = failure;
        }

        DlcException toFailure() {
            return new DlcException(List.of(failure));
        }
    }

    private void at(Place place, Runnable change) {
        running.requireGoing();
        try {
            change.run();
        } catch (ErrnoException e) {
            String text = place + ": " + DlcException.textOf(e);
            failures.add(
                    new Failure(operation.verb(), operation.entity(), e.errno().status(), text, List.of(text)));
        }
    }

    private Place file() {
        return new Place(ConfigControl.fileOf(operation), 0, 0);
    }

    /** Returns the NIs that follow from the addresses of the machine, without those of the section 'net'. */
    private List<NiSpec> ofAddresses(Configuration listed) {
        List<NiSpec> all = AddressRules.nis(listed, running.machine().devices());
        List<NiSpec> found = all.subList(listed.nis().size(), all.size());
        if (found.isEmpty()) {
            at(file(), () -> {
                throw new ErrnoException(Errno.EINVAL, AddressRules.NONE_FITS);
            });
        }
        return found;
    }

    private void delete(NiSpec spec) {
        NiRequest request = spec.request();
        at(spec.place(), () -> {
            NiInfo found = lnet().inventory().nis().stream()
                    .filter(ni -> ni.nid().isOn(request.net()))
                    .filter(ni -> request.nid() == null
                            ? ni.interfaceName().equals(request.interfaceName())
                            : ni.nid().equals(request.nid()))
                    .findFirst()
                    .orElseThrow(() -> new ErrnoException(
                            Errno.ENODEV,
                            "there is no NI " + (request.nid() == null ? request.interfaceName() : request.nid())
                                    + " on " + request.net()));
            edits.removeNi(found);
        });
    }

    private void delete(RouteSpec route) {
        at(route.place(), () -> {
            for (Nid gateway : route.gateways()) {
                edits.deleteRoute(route.net(), gateway);
            }
        });
    }

    private void delete(BondSpec bond) {
        at(bond.place(), () -> new BondControl(edits).delete(bond.bond()));
    }

    private void delete(O2ibSpec target) {
        at(target.place(), () -> new O2ibsControl(running.machine()).delete(target.nid(), edits));
    }

    /** Returns what is left of a peer, by whichever of the NIDs that it had. */
    private Optional<PeerInfo> left(PeerSpec peer) {
        return there.getOrDefault(peer.primary(), List.of()).stream()
                .flatMap(nid -> lnet().inventory().peer(nid).stream())
                .findFirst();
    }

    /** A net that stands before it in the document may have taken it along, or have left it under another NID. */
    private void delete(PeerSpec peer) {
        Optional<PeerInfo> left = left(peer);
        boolean wasThere = there.containsKey(peer.primary());
        if (wasThere && left.isEmpty()) {
            return;
        }
        boolean whole = peer.nids().isEmpty() || peer.nids().contains(peer.primary());
        Nid primary = wasThere && whole ? left.orElseThrow().primaryNid() : peer.primary();
        at(peer.place(), () -> edits.deletePeer(primary, whole ? List.of() : peer.nids(), false));
    }

    private void delete(RuleSpec rule) {
        at(rule.place(), () -> {
            if (rule.index() < 0) {
                throw new ErrnoException(Errno.EINVAL, "a rule without 'idx'; say which one is to be deleted");
            }
            edits.deleteUdsp(rule.index());
        });
    }

    /** As the tool always did: three settings, and no others. */
    private void reset() {
        at(file(), () -> edits.set(Tunable.NUMA_RANGE, 0));
        at(file(), () -> edits.set(Tunable.MAX_INTERFACES, DEFAULT_TABLE));
        at(file(), () -> edits.set(Tunable.DISCOVERY, 1));
    }
}
