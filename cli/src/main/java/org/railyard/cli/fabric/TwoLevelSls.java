package org.railyard.cli.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/**
 * SLs of QoS level 0 from one origin and of level 1 from another: dumps hold one level only, a torus-2QoS.conf tells
 * both. Where the other one has no SL of a path, that of level 0 counts for both. An SL class is a pair of classes, one
 * of either origin.
 */
final class TwoLevelSls implements PathSls {
    private final PathSls levelZero;
    private final PathSls levelOne;
    private final int[] classOfLid;
    private final List<Integer> zeroOf = new ArrayList<>();
    private final List<Integer> oneOf = new ArrayList<>();

    /**
     * Makes the SLs of a fabric.
     *
     * @param levelZero SLs whose level 0 counts
     * @param levelOne SLs of two levels, whose level 1 counts
     */
    TwoLevelSls(Fabric fabric, PathSls levelZero, PathSls levelOne) {
        this.levelZero = levelZero;
        this.levelOne = levelOne;
        classOfLid = new int[fabric.maxLid() + 1];
        Arrays.fill(classOfLid, -1);
        Map<Long, Integer> known = new HashMap<>();
        for (int lid = 1; lid < classOfLid.length; lid++) {
            int zero = levelZero.classOf(lid);
            int one = levelOne.classOf(lid);
            if (zero >= 0 || one >= 0) {
                classOfLid[lid] = known.computeIfAbsent((long) zero << Integer.SIZE | one & 0xFFFF_FFFFL, _ -> {
                    zeroOf.add(zero);
                    oneOf.add(one);
                    return zeroOf.size() - 1;
                });
            }
        }
    }

    @Override
    public int levels() {
        return 2;
    }

    @Override
    public int classes() {
        return zeroOf.size();
    }

    @Override
    public int classOf(int lid) {
        return lid >= 0 && lid < classOfLid.length ? classOfLid[lid] : -1;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        int other = level == 0 ? NO_SL : sl(levelOne, oneOf, sourceClass, destinationClass, level);
        return other == NO_SL ? sl(levelZero, zeroOf, sourceClass, destinationClass, 0) : other;
    }

    private static int sl(PathSls sls, List<Integer> classes, int sourceClass, int destinationClass, int level) {
        int source = classes.get(sourceClass);
        int destination = classes.get(destinationClass);
        return source < 0 || destination < 0 ? NO_SL : sls.classSl(source, destination, level);
    }
}
