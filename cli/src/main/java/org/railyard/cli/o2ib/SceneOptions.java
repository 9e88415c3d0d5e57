package org.railyard.cli.o2ib;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.o2iblnd.tune.Era;
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
            description = "Tunables of this node; repeatable. All others have their defaults.")
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
            description = "Limits of the card: mlx4, mlx5, hfi, rxe. Default: mlx5.")
    private String device = DeviceAttributes.MLX5.profile();

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

    @Option(names = "--peers", paramLabel = "N", description = "How many peers there are. Default: 1.")
    private int peers = 1;

    @Option(
            names = "--routes",
            paramLabel = "N",
            description = "Routes to each peer, with channel bonding. Default: 1.")
    private int routes = 1;

    @Option(names = "--cpts", paramLabel = "N", description = "CPU partitions. Default: 1.")
    private int cpts = 1;

    @Option(
            names = "--era",
            paramLabel = "ERA",
            description = "Release whose rules count: 2.7, 2.10, 2.10-29290, 2.11, now.")
    private String era = Era.NOW.text();

    @Option(names = "--peer-era", paramLabel = "ERA", description = "Release of the peers. Default: that of this node.")
    private @Nullable String peerEra;

    @Option(names = "--wire-version", paramLabel = "1|2", description = "Version of the protocol. Default: 2.")
    private int version = 2;

    @Option(
            names = "--registration",
            paramLabel = "MODE",
            description = "global, fmr, fastreg, fastreg-gaps, arena. Default: what a kernel node takes on the card.")
    private @Nullable String registration;

    /** Returns what was asked for. */
    Scene scene() {
        Tunables own = apply(Tunables.DEFAULT, settings);
        Era ownEra = Era.named(era);
        if (version != 1 && version != 2) {
            throw new LNetException(Errno.EINVAL, "--wire-version is " + version + ", expected 1 or 2");
        }
        return Scene.DEFAULT
                .withTunables(own)
                .withPeerTunables(apply(own, peerSettings))
                .withEras(ownEra, peerEra == null ? ownEra : Era.named(peerEra))
                .withVersion(0x10 + version)
                .withDevice(device())
                .withRegistration(registration == null ? null : Registration.named(registration))
                .withCounts(peers, routes, cpts);
    }

    /** Returns the scene with other tunables of this node; those of the peers follow, unless they were given. */
    Scene changed(Scene scene, List<String> changes) {
        Tunables own = apply(scene.tunables(), changes);
        return scene.withTunables(own).withPeerTunables(apply(own, peerSettings));
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

    private DeviceAttributes device() {
        DeviceAttributes profile = DeviceAttributes.profiles().stream()
                .filter(each -> each.profile().equals(device))
                .findFirst()
                .orElseThrow(() -> new LNetException(
                        Errno.EINVAL,
                        "no device profile '" + device + "', expected one of "
                                + DeviceAttributes.profiles().stream()
                                        .map(DeviceAttributes::profile)
                                        .collect(Collectors.joining(", "))));
        return profile.withQueueLimits(
                maxQpWr == null ? profile.maxQpWr() : maxQpWr, maxCqe == null ? profile.maxCqe() : maxCqe);
    }
}
