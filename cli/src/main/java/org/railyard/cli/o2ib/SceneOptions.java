package org.railyard.cli.o2ib;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.o2iblnd.tune.LiveNi;
import org.railyard.o2iblnd.tune.LustreRelease;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.o2iblnd.tune.Scene;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.verbs.DeviceAttributes;
import picocli.CommandLine.Option;

/** The options that say what is to be calculated. */
final class SceneOptions {
    @Option(
            names = "--set",
            paramLabel = "NAME=NUMBER",
            arity = "1..*",
            description = "Tunables of this node; repeatable. All others have their defaults, or with --node the node's"
                    + " values.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--peer",
            paramLabel = "NAME=NUMBER",
            arity = "1..*",
            description = "Tunables of the peers; repeatable. All others are those of this node.")
    private List<String> peerSettings = new ArrayList<>();

    @Option(
            names = "--device",
            paramLabel = "PROFILE",
            description = "Limits of the card: mlx4, mlx5, hfi, rxe. Default: mlx5, or the node's device.")
    private @Nullable String device;

    @Option(
            names = "--max-qp-wr",
            paramLabel = "N",
            description = "Work requests of a queue, instead of the profile's.")
    private @Nullable Integer maxQpWr;

    @Option(
            names = "--max-cqe",
            paramLabel = "N",
            description = "Entries of a completion queue, instead of the profile's.")
    private @Nullable Integer maxCqe;

    @Option(
            names = "--peers",
            paramLabel = "N",
            description = "How many peers there are. Default: 1, or those that the node knows.")
    private @Nullable Integer peers;

    @Option(
            names = "--routes",
            paramLabel = "N",
            description = "Routes to each peer, with channel bonding. Default: 1, or those that the node has.")
    private @Nullable Integer routes;

    @Option(names = "--cpts", paramLabel = "N", description = "CPU partitions. Default: 1.")
    private @Nullable Integer cpts;

    @Option(
            names = "--era",
            paramLabel = "ERA",
            description = "Release whose rules count: 2.7, 2.10, 2.10-29290, 2.11, now.")
    private String era = LustreRelease.NOW.text();

    @Option(names = "--peer-era", paramLabel = "ERA", description = "Release of the peers. Default: that of this node.")
    private @Nullable String peerEra;

    @Option(names = "--wire-version", paramLabel = "1|2", description = "Version of the protocol. Default: 2.")
    private int version = 2;

    @Option(
            names = "--registration",
            paramLabel = "MODE",
            description = "global, fmr, fastreg, fastreg-gaps, arena. Default: what a kernel node takes on the card.")
    private @Nullable String registration;

    /**
     * Returns what was asked for.
     *
     * @param live the NI to begin with; null for defaults
     */
    Scene scene(@Nullable LiveNi live) {
        Scene base = live == null ? Scene.DEFAULT : live.scene();
        Tunables own = apply(base.tunables(), settings);
        LustreRelease ownEra = LustreRelease.named(era);
        if (version != 1 && version != 2) {
            throw new ErrnoException(Errno.EINVAL, "--wire-version is " + version + ", expected 1 or 2");
        }
        return base.withTunables(own)
                .withPeerTunables(ofPeers(own, live))
                .withEras(ownEra, peerEra == null ? ownEra : LustreRelease.named(peerEra))
                .withVersion(0x10 + version)
                .withDevice(device(base.device()))
                .withRegistration(registration(base))
                .withCounts(
                        peers == null ? base.peers() : peers,
                        routes == null ? base.routes() : routes,
                        cpts == null ? base.cpts() : cpts);
    }

    /** A device that was named registers as kernel nodes do on it. */
    private @Nullable Registration registration(Scene base) {
        if (registration != null) {
            return Registration.named(registration);
        }
        return device == null ? base.registration() : null;
    }

    private Tunables ofPeers(Tunables own, @Nullable LiveNi live) {
        return apply(live == null ? own : live.peerTunables(own), peerSettings);
    }

    /**
     * Returns the scene with other tunables of this node; those of the peers follow, unless they were given or are
     * known.
     */
    Scene changed(Scene scene, @Nullable LiveNi live, List<String> changes) {
        Tunables own = apply(scene.tunables(), changes);
        return scene.withTunables(own).withPeerTunables(ofPeers(own, live));
    }

    /** Applies settings, which may stand behind one another with commas. */
    private static Tunables apply(Tunables to, List<String> settings) {
        Tunables result = to;
        for (String some : settings) {
            for (String one : some.split(",")) {
                result = result.with(one);
            }
        }
        return result;
    }

    private DeviceAttributes device(DeviceAttributes base) {
        DeviceAttributes profile = device == null ? base : named(device);
        return profile.withQueueLimits(
                maxQpWr == null ? profile.maxQpWr() : maxQpWr, maxCqe == null ? profile.maxCqe() : maxCqe);
    }

    private static DeviceAttributes named(String device) {
        return DeviceAttributes.profiles().stream()
                .filter(each -> each.profile().equals(device))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no device profile '" + device + "', expected one of "
                                + DeviceAttributes.profiles().stream()
                                        .map(DeviceAttributes::profile)
                                        .collect(Collectors.joining(", "))));
    }
}
