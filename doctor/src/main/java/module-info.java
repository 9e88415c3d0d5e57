/** What is wrong with a node and its machine: findings as pure functions of its set-up and of facts. */
module org.railyard.doctor {
    requires static org.jspecify;
    requires transitive org.railyard.lnet;
    requires org.railyard.config;

    exports org.railyard.doctor;
}
