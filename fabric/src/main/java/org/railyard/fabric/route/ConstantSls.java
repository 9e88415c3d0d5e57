package org.railyard.fabric.route;

/** One SL for everything. */
record ConstantSls(int serviceLevel) implements PathSls {
    ConstantSls {
        if (serviceLevel < 0 || serviceLevel > 15) {
            throw new IllegalArgumentException("SL " + serviceLevel + " is not 0 to 15");
        }
    }

    @Override
    public int levels() {
        return 1;
    }

    @Override
    public int classes() {
        return 1;
    }

    @Override
    public int classOf(int lid) {
        return 0;
    }

    @Override
    public int classSl(int sourceClass, int destinationClass, int level) {
        return serviceLevel;
    }
}
