#include "grading.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/files/lock.hpp>
#include <gradual/core/threads.hpp>

#include "../csv.hpp"
#include "../diagnosis.hpp"
#include "../exports.hpp"
#include "../report.hpp"
#include "../submission.hpp"
#include "../training_run.hpp"
#include "collect.hpp"

using namespace gradual;
namespace fs = std::filesystem;

namespace {

struct Task {
  const Enrolled* person;
  const Assignment* assignment;
};

std::string results_folder(const Course& course, const std::string& student, const std::string& assignment) {
  return course.folder + "/results/" + student + "/" + assignment;
}

// Of the submission that the marks in a folder are of.
std::string graded_file(const std::string& folder) { return folder + "/graded.txt"; }

bool is_graded(const Course& course, const std::string& student, const std::string& assignment) {
  const std::string collected = collected_path(course, student, assignment),
                    graded = graded_file(results_folder(course, student, assignment));
  return fs::exists(collected) && fs::exists(graded) &&
         read_text(graded) == fingerprint(read_text(collected)) + "\n";
}

void grade_task(const Course& course, const Desk& desk, const Task& task) {
  const std::string path = collected_path(course, task.person->id, task.assignment->number);
  const std::string handed_in = read_text(path);
  const Submission submission = parse_submission(handed_in, path);
  check_version(submission, desk.workshop, desk.assignments, path);
  const ScratchFolder sources;
  write_parts(submission, *task.assignment, sources.path());
  const std::vector<Mark> marks =
      grade_folder(desk, *task.assignment, sources.path(), course.assignment_key(task.assignment->number),
                   task.person->id);
  const std::string folder = results_folder(course, task.person->id, task.assignment->number);
  make_folder(folder);
  write_file_atomically(folder + "/results.json", gradescope_results(marks, ""));
  write_file_atomically(folder + "/junit.xml", junit_xml("assignment " + task.assignment->number, marks));
  write_file_atomically(folder + "/marks.json", marks_json(marks));
  write_file_atomically(graded_file(folder), fingerprint(handed_in) + "\n");
}

// Which tasks several processes have taken.
class SharedTasks {
 public:
  explicit SharedTasks(std::size_t processes) : bytes_((1 + processes) * sizeof(Number)) {
    void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("course grade: no memory to share");
    numbers_ = static_cast<Number*>(memory);
    for (std::size_t i = 0; i <= processes; ++i) new (numbers_ + i) Number(i == 0 ? 0 : none);
  }
  ~SharedTasks() { munmap(numbers_, bytes_); }
  SharedTasks(const SharedTasks&) = delete;
  SharedTasks& operator=(const SharedTasks&) = delete;
  // The next one, for a process.
  std::size_t next(std::size_t process) { return numbers_[1 + process] = numbers_[0].fetch_add(1); }
  // The last that a process took; `none`: it took none.
  std::size_t of(std::size_t process) const { return numbers_[1 + process]; }
  // How many were taken.
  std::size_t taken() const { return numbers_[0]; }
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

 private:
  using Number = std::atomic<std::size_t>;
  std::size_t bytes_;
  Number* numbers_;
};

void say_failed(const Task& task, const std::string& problem) {
  std::ostringstream message;
  message << "course grade: " << task.person->id << ", assignment " << task.assignment->number << ": "
          << problem << "\n";
  std::cerr << message.str() << std::flush;
}

// What several processes would make in one place at the same time.
void prepare_tasks(const Desk& desk, const std::vector<Task>& tasks) {
  std::set<const Assignment*> graded;
  for (const Task& task : tasks) graded.insert(task.assignment);
  bool trains = false;
  for (const Assignment* each : graded) {
    for (const Part& part : each->parts) {
      prepare_diagnosis(desk.workshop, *each, part);
      trains = trains || part.goal;
    }
  }
  try {
    if (trains) make_target(desk.workshop, "translate");
  } catch (const std::exception&) {  // said of each submission that needs it
  }
}

// One of the processes: takes tasks until there are none.
void work(const Course& course, const Desk& desk, const std::vector<Task>& tasks, SharedTasks& shared,
          std::size_t process) {
  set_thread_count(1);
  const SignalsNoted noted;
  for (std::size_t i = shared.next(process); i < tasks.size(); i = shared.next(process)) {
    try {
      grade_task(course, desk, tasks[i]);
    } catch (const std::exception& error) {
      say_failed(tasks[i], error.what());
    }
    noted.check();
  }
}

// Waits for a process; 0: it ended by itself.
int signal_that_ended(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// A task that ends its process costs no other: another process goes on.
void run_tasks(const Course& course, const Desk& desk, const std::vector<Task>& tasks, int jobs) {
  const auto processes = static_cast<std::size_t>(jobs);
  SharedTasks shared(processes);
  std::cout << std::flush;
  const pid_t grader = getpid();
  const auto start = [&](std::size_t process) {
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != grader) _exit(0);  // which ended before
      try {
        work(course, desk, tasks, shared, process);
      } catch (const Interrupted& by) {
        std::signal(by.signal, SIG_DFL);
        std::raise(by.signal);
      }
      _exit(0);
    }
    return child;
  };
  std::vector<pid_t> workers;
  for (std::size_t i = 0; i < processes; ++i) workers.push_back(start(i));
  for (std::size_t i = 0; i < processes; ++i) {
    std::size_t last = SharedTasks::none;
    while (workers[i] > 0) {
      const int signal = signal_that_ended(workers[i]);
      if (signal == 0 || shared.of(i) == last) break;  // or it could not even begin
      last = shared.of(i);
      if (last < tasks.size()) say_failed(tasks[last], text("the grader was ended by signal ", signal));
      workers[i] = shared.taken() < tasks.size() ? start(i) : 0;
    }
  }
}

}  // namespace

void require_isolation() {
  const ScratchFolder scratch;
  Confinement c;
  c.writable = scratch.path();
  const std::string layers = run_confined({"/bin/true"}, c).layers;
  const auto has = [&](const char* layer) { return layers.find(layer) != std::string::npos; };
  if (has("files") && (has("calls") || has("namespaces"))) return;
  throw std::runtime_error(
      "course: official grading needs a sandbox that keeps students' programs from files and from the "
      "network; here "
      "it has only: " +
      layers +
      ". Landlock (Linux 5.13 or later) keeps files, seccomp or namespaces the network. In a container of "
      "its own "
      "that holds nothing but the grader, --trust grades all the same");
}

void require_secrecy(const Workshop& workshop, const std::string& file) {
  if (can_be_read_by_students(workshop, fs::absolute(file).string()))
    throw std::runtime_error(
        "course: no student's program may read the course, and from this place each can: it is " + file +
        "; move the course out of the folders of the system and of the compiler, or --trust grades all the "
        "same");
}

std::vector<Mark> grade_folder(const Desk& desk, const Assignment& assignment, const std::string& folder,
                               const std::string& assignment_key, const std::string& student) {
  std::vector<Mark> marks;
  for (const Part& part : assignment.parts) {
    const std::string file = folder + "/" + part.file();
    if (!fs::exists(file)) {
      marks.push_back(missing_mark(part));
      continue;
    }
    const Verdict verdict =
        judge(desk.workshop, desk.assignments, part, read_text(file), practice_seed(assignment_key, student),
              official_seed(assignment_key, student));
    marks.push_back(mark_of(verdict, verdict.file));
  }
  return marks;
}

std::vector<Result> grade_course(const Course& course, const Desk& desk, const std::string& assignment,
                                 int jobs) {
  const FileLock lock(course.folder + "/lock",
                      "course grade: one grading at a time: another process is grading");
  std::vector<Task> tasks;
  for (const Enrolled& person : course.roster)
    for (const Assignment& each : desk.assignments)
      if ((assignment.empty() || each.number == assignment) &&
          fs::exists(collected_path(course, person.id, each.number)))
        tasks.push_back({&person, &each});
  prepare_tasks(desk, tasks);
  for (const Task& task : tasks)  // what is not graded now has no marks, whatever ended it
    fs::remove(graded_file(results_folder(course, task.person->id, task.assignment->number)));
  if (!tasks.empty()) run_tasks(course, desk, tasks, jobs);
  std::vector<Result> results;
  for (const Enrolled& person : course.roster) {
    for (const std::string& number : course.assignments) {
      Result result{person.id, number, fs::exists(collected_path(course, person.id, number)), false, {}};
      result.is_graded = is_graded(course, person.id, number);
      const std::string path = results_folder(course, person.id, number) + "/marks.json";
      if (result.is_graded) result.marks = parse_marks(read_text(path), path);
      results.push_back(result);
    }
  }
  return results;
}

std::string grades_csv(const Course& course, const std::vector<Result>& results) {
  std::vector<std::string> heading = {"id", "name", "email"};
  heading.insert(heading.end(), course.assignments.begin(), course.assignments.end());
  heading.push_back("total");
  std::string lines = csv_line(heading);
  for (const Enrolled& person : course.roster) {
    std::vector<std::string> row = {person.id, person.name, person.email};
    int total = 0;
    for (const Result& result : results) {
      if (result.student != person.id) continue;
      row.push_back(result.is_graded ? std::to_string(points_of(result.marks)) : "");
      total += points_of(result.marks);
    }
    row.push_back(std::to_string(total));
    lines += spreadsheet_line(row);
  }
  return lines;
}
