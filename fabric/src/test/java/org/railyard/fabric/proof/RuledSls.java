package org.railyard.fabric.proof;

import java.util.function.IntUnaryOperator;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.PathSls;

/**
 * SLs by a rule.
 *
 * @param levels how many QoS levels
 * @param classes how many SL classes
 * @param classByLid the class of a LID, negative for none
 * @param rule the SL from a class to another
 */
record RuledSls(int levels, int classes, IntUnaryOperator classByLid, Rule rule) implements PathSls {
    /** Says which SL a path has. */
    interface Rule {
        /** Returns it, or {@link PathSls#NO_SL}. */
        int sl(int sourceClass, int destinationClass, int level);
    }

    /** Returns SLs of one level where each LID is a class. */
    static RuledSls byLid(Fabric fabric, Rule rule) {
        return new RuledSls(1, fabric.maxLid() + 1, lid -> lid, rule);
    }

    /** Returns SL 0 for all but the way from one LID to another, which has none. */
    static RuledSls without(Fabric fabric, int source, int destination) {
        return byLid(fabric, (from, to, _) -> from == source && to == destination ? NO_SL : 0);
    }

    /** Returns the classes of other SLs, with another rule. */
    static RuledSls classesOf(PathSls sls, Rule rule) {
        return new RuledSls(sls.levels(), sls.classes(), sls::classOf, rule);
    }

    @Override
    public int classOf(int lid) {
        return classByLid.applyAsInt(lid);
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        return rule.sl(sourceClass, destinationClass, level);
    }
}
