package dev.verbena.subnet;

/// What became of a datagram that was handed to a subnet manager.
public enum SmVerdict {
    OK("an answer or trap that was taken"),
    MALFORMED("not a well-formed datagram of subnet management"),
    NOT_ASKED("an answer to no request in flight: late, or forged"),
    OTHER_ATTRIBUTE("an answer with another attribute than was asked for"),
    STATUS("an answer that refuses the request"),
    NOT_SET("an answer to Set with other values than those that were set"),
    NODE_INVALID("NodeInfo that no node can have"),
    PORT_INVALID("PortInfo that no port can have"),
    GUID_CONFLICT("a GUID that another node has too, or a node that contradicts itself"),
    LIMIT("one node more than the manager remembers"),
    LOCKED("an answer of a node whose M_Key this manager does not know"),
    FOREIGN("a datagram that no subnet manager answers"),
    UNKNOWN_ISSUER("a trap from a LID that no known node has");

    private final String reason;

    SmVerdict(String reason) {
        this.reason = reason;
    }

    /// The meaning in words.
    public String reason() {
        return reason;
    }
}
