import Glibc
package import WidgetKitCore

extension ChildRun {
  /// What a run is besides its program.
  package struct Terms {
    package var isolation = ChildProcess.Isolation.widget
    package var input = Input.nothing
    package var output = Output.discarded
    package var errors = Output.discarded
    /// Open files of the host that it gets behind the inputs of its program.
    package var files: [Int32] = []
    package var limits: ProcessLimits?
    /// The limits of a control group for its processes; nil for none.
    package var group: ControlGroup.Limits?
    /// The time that it may take; nil for as long as it needs.
    package var time: Duration?
    /// How it is ended, before SIGKILL.
    package var teardown: [TeardownStep] = []

    /// Creates it with its values.
    package init(
      isolation: ChildProcess.Isolation = ChildProcess.Isolation.widget,
      input: Input = Input.nothing,
      output: Output = Output.discarded,
      errors: Output = Output.discarded,
      files: [Int32] = [],
      limits: ProcessLimits? = nil,
      group: ControlGroup.Limits? = nil,
      time: Duration? = nil,
      teardown: [TeardownStep] = []
    ) {
      self.isolation = isolation
      self.input = input
      self.output = output
      self.errors = errors
      self.files = files
      self.limits = limits
      self.group = group
      self.time = time
      self.teardown = teardown
    }
  }

  /// A signal that asks a process to end, and the time until the next step.
  package struct TeardownStep {
    var signal: Int32
    var patience: Duration

    /// SIGTERM, and a second for what the process still has to do.
    package static let terminate = TeardownStep(signal: SIGTERM, patience: .seconds(1))
  }

  /// What a process reads from its standard input.
  package enum Input {
    /// That of the host.
    case own
    case nothing
    case bytes([UInt8])
    /// An open file, which stays the caller's.
    case file(Int32)
    /// What is written to ``ChildRun/input``, which waits in a queue.
    case pipe(OutputQueue)
  }

  /// What is done with what a process writes to its standard output or error.
  package enum Output {
    /// It goes to that of the host.
    case own
    case discarded
    /// Errors go to where the output goes.
    case withOutput
    /// It is kept for the end; a process that prints more is killed.
    case kept(byteLimit: Int)
    /// Its lines are passed on; a flood of them is read slowly. One stream only.
    case lines(([SafeText]) -> Void)
    /// It is passed on as it comes, at most so many bytes at a time, and when the process has ended all that is
    /// left; the result is how long nothing more is read.
    case passed(turn: Int = ChildRun.turn, ([UInt8]) -> Duration?)

    var turn: Int {
      if case .passed(let turn, _) = self { turn } else { ChildRun.turn }
    }
  }
}
