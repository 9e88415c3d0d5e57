package org.railyard.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Limits and abilities of a device.
 *
 * @param profile what kind of device it is
 * @param ports how many ports
 * @param maxQp most queue pairs
 * @param maxQpWr most work requests of one queue
 * @param maxCq most completion queues
 * @param maxCqe most entries of a completion queue
 * @param maxSge most gather entries of a send request
 * @param maxMr most memory regions
 * @param maxPageList most pages of a page-list region
 * @param abilities what not every device can do
 */
public record DeviceAttributes(
        String profile,
        int ports,
        int maxQp,
        int maxQpWr,
        int maxCq,
        int maxCqe,
        int maxSge,
        int maxMr,
        int maxPageList,
        Set<Ability> abilities) {
    /** What not every device can do. */
    public enum Ability {
        /** Zero-based regions that are mapped at once, without a work request. */
        FMR,
        /** Page-list regions that are registered by a work request. */
        FAST_REG,
        /** Page-list regions whose pieces may begin and end inside pages. */
        SG_GAPS,
        /** A region over all memory. */
        GLOBAL_REGION
    }

    /** Older cards that still map regions without a work request, with the limits of a typical one. */
    public static final DeviceAttributes MLX4 = new DeviceAttributes(
            "mlx4",
            2,
            393_144,
            16_351,
            65_408,
            4_194_303,
            32,
            524_032,
            511,
            EnumSet.of(Ability.FMR, Ability.FAST_REG, Ability.GLOBAL_REGION));

    /** Newer cards, with the limits of a typical one. */
    public static final DeviceAttributes MLX5 = new DeviceAttributes(
            "mlx5",
            1,
            131_072,
            32_768,
            16_777_216,
            4_194_303,
            30,
            16_777_216,
            65_536,
            EnumSet.of(Ability.FAST_REG, Ability.SG_GAPS));

    /** Omni-Path cards, with the limits of a typical one. */
    public static final DeviceAttributes HFI = new DeviceAttributes(
            "hfi", 1, 16_384, 16_384, 196_607, 196_607, 96, 65_536, 512, EnumSet.of(Ability.FAST_REG));

    /** The software RoCE of Linux: what limits it is a completion queue of at most 32 767 entries (spec 23 §6). */
    public static final DeviceAttributes RXE = new DeviceAttributes(
            "rxe", 1, 1_048_560, 1 << 20, 1_048_576, 32_767, 32, 524_287, 512, EnumSet.of(Ability.FAST_REG));

    private static final List<DeviceAttributes> PROFILES = List.of(MLX4, MLX5, HFI, RXE);

    /** Checks that there are no negative limits. */
    public DeviceAttributes {
        if (ports < 1
                || maxQp < 1
                || maxQpWr < 1
                || maxCq < 1
                || maxCqe < 1
                || maxSge < 1
                || maxMr < 1
                || maxPageList < 0) {
            throw new IllegalArgumentException("limits of a device must be positive: " + profile);
        }
        abilities = abilities.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(abilities));
    }

    /** Returns the profiles that have names. */
    public static List<DeviceAttributes> profiles() {
        return PROFILES;
    }

    /** Tells whether it can do something. */
    public boolean has(Ability ability) {
        return abilities.contains(ability);
    }

    /** Returns a device with other limits of queues. */
    public DeviceAttributes withQueueLimits(int otherMaxQpWr, int otherMaxCqe) {
        return new DeviceAttributes(
                profile, ports, maxQp, otherMaxQpWr, maxCq, otherMaxCqe, maxSge, maxMr, maxPageList, abilities);
    }

    /** Returns a device with other abilities. */
    public DeviceAttributes withAbilities(Set<Ability> other) {
        return new DeviceAttributes(profile, ports, maxQp, maxQpWr, maxCq, maxCqe, maxSge, maxMr, maxPageList, other);
    }

    /** Returns a device with another number of ports. */
    public DeviceAttributes withPorts(int other) {
        return new DeviceAttributes(
                profile, other, maxQp, maxQpWr, maxCq, maxCqe, maxSge, maxMr, maxPageList, abilities);
    }
}
